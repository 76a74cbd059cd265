/** What a repetition must know of the first time: a key's rotation, and a plan that comes back within its period. */
export const repeatedRequests: ReadonlyArray<string> = [
  // A rotated key ends soon; a second successor would inherit that end instead of the lifetime.
  `ALTER TABLE api_keys ADD COLUMN successor_id uuid REFERENCES api_keys (id) ON DELETE SET NULL`,
  // The billing period in which a plan was withdrawn, and the scans used in it until then.
  `ALTER TABLE billing_accounts ADD COLUMN withdrawn_period timestamptz(3)`,
  `ALTER TABLE billing_accounts ADD COLUMN withdrawn_use integer`,
]
