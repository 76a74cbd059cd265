/** One instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  readonly keyword: string
  readonly value: string
}

export interface Stage {
  readonly name: string | undefined
  readonly base: string
  readonly instructions: ReadonlyArray<Instruction>
}

const instructionsOf = (text: string): ReadonlyArray<Instruction> =>
  text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line) && line.trim() !== "")
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => {
      const [, keyword, value] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      if (keyword === undefined || value === undefined) throw new Error(`no instruction: ${line}`)
      return { keyword, value }
    })

/** The stages of a Dockerfile in their order; arguments before the first FROM are filled in. */
export const stagesOf = (text: string): ReadonlyArray<Stage> => {
  const variables = new Map<string, string>()
  const stages: Array<{ name: string | undefined; base: string; instructions: Array<Instruction> }> = []
  for (const instruction of instructionsOf(text)) {
    const current = stages.at(-1)
    if (instruction.keyword === "FROM") {
      const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(instruction.value) ?? []
      const filled = base!.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => variables.get(variable) ?? "")
      stages.push({ name, base: filled, instructions: [] })
    } else if (current !== undefined) {
      current.instructions.push(instruction)
    } else {
      const [, name, value] = /^(\w+)=(.*)$/.exec(instruction.value) ?? []
      if (instruction.keyword !== "ARG" || name === undefined) throw new Error(`before FROM: ${instruction.value}`)
      variables.set(name, value!)
    }
  }
  return stages
}

/** The value of an instruction in exec form, `["a", "b"]`; fails for one in shell form, which would hide signals. */
export const execForm = (value: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(value)
  if (!Array.isArray(parsed) || parsed.some((part) => typeof part !== "string"))
    throw new Error(`no exec form: ${value}`)
  return parsed
}
