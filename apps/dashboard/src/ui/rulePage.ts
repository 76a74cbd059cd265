/** The location of a rule's page; ids of external engines may have more or fewer parts. */
export const rulePage = (ruleId: string) => {
  const [framework = "", category = "", ...rest] = ruleId.split("/")
  return { framework, category, rule: rest.join("/") }
}
