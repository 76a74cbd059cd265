import { useQuery } from "@tanstack/react-query"
import { me, organization } from "../api/queries.ts"

/** Names of people: members of the organization by e-mail address. Fetched only if someone else is mentioned. */
export const useNames = (userIds: ReadonlyArray<string | undefined>) => {
  const caller = useQuery(me).data
  const id = caller?.organization?.organizationId ?? ""
  const others = userIds.some((userId) => userId !== undefined && userId !== caller?.userId)
  const members = useQuery({ ...organization(id), enabled: id !== "" && others }).data?.members ?? []
  return (userId: string): string => {
    if (userId === caller?.userId) return "you"
    const member = members.find((one) => one.userId === userId)
    return member?.email ?? (member === undefined ? "a former member" : userId)
  }
}
