import { join } from "node:path"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import { countModules } from "./build/countModules.ts"
import { contractEndpoints } from "./build/contractEndpoints.ts"
import { precompress } from "./build/precompress.ts"

const service = process.env["ASSAY_URL"] ?? "http://127.0.0.1:8080"

export default defineConfig({
  root: import.meta.dirname,
  publicDir: join(import.meta.dirname, "public"),
  cacheDir: join(import.meta.dirname, "../../node_modules/.cache/assay/vite"),
  plugins: [react(), contractEndpoints(), countModules(), precompress()],
  build: {
    outDir: process.env["ASSAY_DASHBOARD_OUT"] ?? join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    target: "es2023",
    // No files as data: URLs, which would need an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
  // Sessions are cookies of the service's own origin, which the proxy extends to this server.
  server: {
    proxy: Object.fromEntries(["/api", "/auth", "/health", "/openapi.json", "/docs"].map((p) => [p, service])),
  },
})
