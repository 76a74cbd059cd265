/** Files by path: a program of a given size along one dimension, such as a chain of so many calls. */
export type Axis = (size: number) => Readonly<Record<string, string>>

/** One text for each number from 0, in lines. */
export const each = (size: number, text: (at: number) => string, separator = "\n"): string =>
  Array.from({ length: size }, (_, at) => text(at)).join(separator)

/** Files of which there is one for each number from 0. */
export const eachFile = (size: number, file: (at: number) => readonly [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: size }, (_, at) => file(at)))

export const manifest = (dependency: string, name = "demo"): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n[lib]\ncrate-type = ["cdylib", "lib"]\n[dependencies]\n${dependency} = "0.30.0"\n`

/** The size at which the files of an axis have about so many characters in all. */
export const sizeOf = (axis: Axis, characters: number): number => {
  const length = (size: number) => Object.values(axis(size)).reduce((sum, text) => sum + text.length, 0)
  return Math.max(2, Math.round((64 * characters) / (length(128) - length(64))))
}
