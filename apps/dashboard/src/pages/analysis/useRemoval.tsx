import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { call } from "../../api/client.ts"
import { Confirm } from "../../ui/Dialog.tsx"
import { say } from "../../ui/toasts.tsx"

/** Deletion requires confirmation, because it cannot be undone. */
export const useRemoval = (id: string) => {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call("analysis.remove", { params: { id } }),
    onSuccess: async () => {
      say("The analysis was deleted.")
      await navigate({ to: "/analyses" })
      await client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== "account.me",
        refetchType: "active",
      })
    },
    onError: (error) => {
      setAsking(false)
      say(error.message)
    },
  })
  const dialog = (
    <Confirm
      open={asking}
      title="Delete this analysis?"
      action="Delete analysis"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={() => setAsking(false)}
    >
      <p>Its result is deleted permanently. The scan is not refunded.</p>
    </Confirm>
  )
  return { ask: () => setAsking(true), dialog }
}
