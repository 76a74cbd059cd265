/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Json => (isJson(value) ? value : {})

export const mapValues = <A, B>(
  values: Readonly<Record<string, A>>,
  change: (value: A, name: string) => B,
): Record<string, B> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

/** The name that a `$ref` ends with. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** Every component that a part of the document refers to, directly or through others. */
export const reachable = (part: unknown, schemas: Readonly<Record<string, unknown>>): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJson(value)) return
    const { $ref } = value
    if (typeof $ref === "string" && $ref.startsWith("#/components/schemas/") && !found.has(nameOf($ref))) {
      found.add(nameOf($ref))
      visit(schemas[nameOf($ref)])
    }
    Object.values(value).forEach(visit)
  }
  visit(part)
  return found
}
