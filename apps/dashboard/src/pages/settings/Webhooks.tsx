import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import { webhookSecret } from "../../api/queries.ts"
import { NewSecret } from "../../ui/NewSecret.tsx"
import { Failed, Shown } from "../../ui/State.tsx"
import { Time } from "../../ui/Time.tsx"

export const Webhooks = () => {
  const query = useQuery(webhookSecret)
  const client = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => call("settings.rotateWebhookSecret", {}),
    onSuccess: () => client.invalidateQueries({ queryKey: webhookSecret.queryKey }),
  })
  return (
    <>
      <p className="prose">Signs completion notifications according to Standard Webhooks.</p>
      <Shown query={query}>
        {({ configured, createdAt, previousValidUntil }) => (
          <>
            <p>
              {configured ? "A secret is set" : "No secret yet"}
              {createdAt !== undefined && (
                <>
                  , made <Time at={createdAt} />
                </>
              )}
              .
              {previousValidUntil !== undefined && (
                <>
                  {" "}
                  The previous one also signs until <Time at={previousValidUntil} />.
                </>
              )}
            </p>
            {rotate.data !== undefined && (
              <NewSecret title="Your new secret" secret={rotate.data.secret} onDone={() => rotate.reset()} />
            )}
            <p>
              <button type="button" className="button" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
                {configured ? "Create a new secret" : "Create a secret"}
              </button>
            </p>
            {rotate.error !== null && <Failed error={rotate.error} />}
          </>
        )}
      </Shown>
    </>
  )
}
