import { ensureBuilt } from "../../apps/dashboard/build/ensureBuilt.ts"

/** Before any test: whichever starts the service would build the dashboard else, several of them at once. */
export const setup = async (): Promise<void> => {
  const built = await ensureBuilt(() => {})
  if (built.state === "failed" || built.state === "impossible") console.warn(`No dashboard: ${built.reason}`)
}
