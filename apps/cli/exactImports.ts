import { registerHooks } from "node:module"

/**
 * Modules that name what they import exactly, with the extension: Assay's own and Effect's, all of them ES modules.
 * Packages below `node_modules` of another kind are none of our business.
 */
const formatOf = (from: string, specifier: string): "module" | "module-typescript" | undefined => {
  if (!from.includes("/node_modules/")) return specifier.endsWith(".ts") ? "module-typescript" : undefined
  return specifier.endsWith(".js") && /\/node_modules\/(?:effect|@effect\/[\w-]+)\/dist\//.test(from)
    ? "module"
    : undefined
}

/**
 * Preloaded (`node --import`), for a program that ends soon, and its threads: Node looks for each imported file, for
 * links on the way to it, and for a `package.json` in each folder above it, which is a third of the CPU of loading
 * 800 modules (measured, Node 24.21).
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const from = context.parentURL
    const format = from === undefined || !specifier.startsWith(".") ? undefined : formatOf(from, specifier)
    return format === undefined
      ? next(specifier, context)
      : { url: new URL(specifier, from).href, format, shortCircuit: true }
  },
})
