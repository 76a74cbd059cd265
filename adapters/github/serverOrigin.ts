/**
 * Origin of the repositories that an API serves: `https://github.com` for `https://api.github.com`, the server's own
 * for `https://ghe.example.com/api/v3`. `serverUrl` specifies any other.
 */
export const serverOrigin = (apiUrl: string, serverUrl: string | undefined): string => {
  if (serverUrl !== undefined) return new URL(serverUrl).origin
  const url = new URL(apiUrl)
  if (url.host.startsWith("api.") && url.pathname === "/") url.host = url.host.slice("api.".length)
  return url.origin
}
