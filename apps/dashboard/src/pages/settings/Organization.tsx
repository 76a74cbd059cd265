import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { invitations, me, organization } from "../../api/queries.ts"
import { Confirm } from "../../ui/Dialog.tsx"
import { counted, words } from "../../ui/format.ts"
import { Form } from "../../ui/Form.tsx"
import { Failed, Shown } from "../../ui/State.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

type View = Output<"organizations.find">

/** A change in an organization affects it, the invitations, and the caller's own data. */
const useChange = <A,>(change: (argument: A) => Promise<unknown>, then?: () => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      then?.()
      return client.invalidateQueries({
        predicate: ({ queryKey }) => /^(organizations|invitations|account|subscriptions)\./.test(String(queryKey[0])),
      })
    },
  })
}

interface MemberRowProps {
  readonly member: View["members"][number]
  readonly self: boolean
  readonly removable: boolean
  readonly onRemove: () => void
}

const MemberRow = ({ member, self, removable, onRemove }: MemberRowProps) => (
  <tr>
    <th scope="row" className="break">
      {member.email ?? member.userId}
    </th>
    <td>{words(member.role)}</td>
    <td className="nowrap">
      <Time at={member.joinedAt} />
    </td>
    <td>
      {removable && (
        <button type="button" className="button" onClick={onRemove}>
          {self ? "Leave" : "Remove"}
          <span className="visually-hidden"> {member.email ?? member.userId}</span>
        </button>
      )}
    </td>
  </tr>
)

interface InvitationRowProps {
  readonly invitation: NonNullable<View["invitations"]>[number]
  readonly onWithdraw: () => void
}

const InvitationRow = ({ invitation, onWithdraw }: InvitationRowProps) => (
  <tr>
    <th scope="row" className="break mono">
      {invitation.userId}
    </th>
    <td>Invited</td>
    <td className="nowrap">
      ends <Time at={invitation.expiresAt} />
    </td>
    <td>
      <button type="button" className="button" onClick={onWithdraw}>
        Withdraw<span className="visually-hidden"> {invitation.userId}</span>
      </button>
    </td>
  </tr>
)

const Invite = ({ id }: { readonly id: View["organizationId"] }) => {
  const [userId, setUserId] = useState("")
  const invite = useChange(
    () => call("organizations.addMember", { params: { id }, payload: { userId: userId.trim() } }),
    () => setUserId(""),
  )
  return (
    <Form
      submit="Invite"
      sent={invite}
      ready={userId.trim() !== ""}
      onSubmit={() => invite.mutate(undefined)}
      secondary
    >
      <div className="field">
        <label htmlFor="invite">Invite by user ID</label>
        <input
          id="invite"
          className="input mono"
          autoComplete="off"
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <p className="hint">Users find their ID in their profile. Invitations expire after seven days.</p>
      </div>
    </Form>
  )
}

const Members = ({ view, own }: { readonly view: View; readonly own: string }) => {
  const [removing, setRemoving] = useState<string>()
  const params = { id: view.organizationId }
  const owner = view.role === "owner"
  const remove = useChange((member: string) =>
    call("organizations.removeMember", { params: { ...params, userId: member } }).finally(() => setRemoving(undefined)),
  )
  const withdraw = useChange((id: string) => call("invitations.end", { params: { id } }))
  const share = useChange((sharing: boolean) => call("organizations.change", { params, payload: { sharing } }))
  const taken = view.members.length + (view.invitations?.length ?? 0)
  const error = remove.error ?? withdraw.error ?? share.error
  return (
    <>
      <h2>{view.name}</h2>
      <p>
        {words(view.tier)} plan; {taken} of {counted(view.seats, "seat")} taken.
      </p>
      <Table columns={["Member", "Role", "Joined", "Actions"]}>
        {view.members.map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            self={member.userId === own}
            removable={owner || member.userId === own}
            onRemove={() => setRemoving(member.userId)}
          />
        ))}
        {(view.invitations ?? []).map((invitation) => (
          <InvitationRow
            key={invitation.invitationId}
            invitation={invitation}
            onWithdraw={() => withdraw.mutate(invitation.invitationId)}
          />
        ))}
      </Table>
      <label className="check">
        <input
          type="checkbox"
          checked={view.sharing}
          disabled={!owner || share.isPending}
          onChange={(event) => share.mutate(event.target.checked)}
        />
        <span>Members can read each other’s analyses and repositories{!owner && " (owners can change this)"}</span>
      </label>
      {error !== null && <Failed error={error} />}
      {owner && <Invite id={view.organizationId} />}
      <Confirm
        open={removing !== undefined}
        title={removing === own ? "Leave the organization?" : "Remove this member?"}
        action={removing === own ? "Leave" : "Remove member"}
        busy={remove.isPending}
        onConfirm={() => removing !== undefined && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      >
        <p>You keep your analyses, but lose access to the shared scans.</p>
      </Confirm>
    </>
  )
}

const Found = () => {
  const [name, setName] = useState("")
  const create = useChange(() => call("organizations.create", { payload: { name: name.trim() } }))
  return (
    <Form
      submit="Create organization"
      sent={create}
      ready={name.trim() !== ""}
      onSubmit={() => create.mutate(undefined)}
    >
      <p>You do not belong to an organization. Members of an organization share the scans of all seats.</p>
      <div className="field">
        <label htmlFor="organization-name">Name</label>
        <input
          id="organization-name"
          className="input"
          autoComplete="organization"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <p className="hint">Your subscription, seats and usage move to it.</p>
      </div>
    </Form>
  )
}

const Invitations = () => {
  const query = useQuery(invitations)
  const accept = useChange((id: string) => call("invitations.accept", { params: { id } }))
  const decline = useChange((id: string) => call("invitations.end", { params: { id } }))
  const error = accept.error ?? decline.error
  if (query.data === undefined || query.data.length === 0) return undefined
  return (
    <>
      <h2>Invitations</h2>
      <ul className="section">
        {query.data.map(({ invitationId, organization, expiresAt }) => (
          <li key={invitationId} className="actions">
            <span className="break">
              {organization.name}, until <Time at={expiresAt} />
            </span>
            <button type="button" className="button primary" onClick={() => accept.mutate(invitationId)}>
              Accept<span className="visually-hidden"> {organization.name}</span>
            </button>
            <button type="button" className="button" onClick={() => decline.mutate(invitationId)}>
              Decline<span className="visually-hidden"> {organization.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {error !== null && <Failed error={error} />}
    </>
  )
}

const Joined = ({ id, own }: { readonly id: string; readonly own: string }) => {
  const query = useQuery(organization(id))
  return <Shown query={query}>{(view) => <Members view={view} own={own} />}</Shown>
}

export const Organization = () => {
  const query = useQuery(me)
  return (
    <Shown query={query}>
      {({ userId, organization }) => (
        <>
          <Invitations />
          {organization === null ? <Found /> : <Joined id={organization.organizationId} own={userId} />}
        </>
      )}
    </Shown>
  )
}
