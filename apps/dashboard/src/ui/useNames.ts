import { useQuery } from "@tanstack/react-query"
import { me, organization } from "../api/queries.ts"

/** What people are called: their organization's members by address. Asked for only where somebody else is named. */
export const useNames = (userIds: ReadonlyArray<string | undefined>) => {
  const caller = useQuery(me).data
  const id = caller?.organization?.organizationId ?? ""
  const others = userIds.some((userId) => userId !== undefined && userId !== caller?.userId)
  const members = useQuery({ ...organization(id), enabled: id !== "" && others }).data?.members ?? []
  return (userId: string): string => {
    if (userId === caller?.userId) return "you"
    const member = members.find((one) => one.userId === userId)
    return member?.email ?? (member === undefined ? "somebody who left" : userId)
  }
}
