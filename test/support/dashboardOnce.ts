import { ensureBuilt } from "../../apps/dashboard/build/ensureBuilt.ts"

/**
 * Runs before any test: otherwise, each test that starts the service would build the dashboard, several of them at
 * once.
 */
export const setup = async (): Promise<void> => {
  const built = await ensureBuilt(() => {})
  if (built.state === "failed" || built.state === "impossible") console.warn(`No dashboard: ${built.reason}`)
}
