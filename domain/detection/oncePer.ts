/** The same function, memoized: it computes its result once per key and keeps it for as long as the key lives. */
export const oncePer = <Key extends object, Answer>(answer: (key: Key) => Answer): ((key: Key) => Answer) => {
  const known = new WeakMap<Key, { readonly answer: Answer }>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = { answer: answer(key) }))
    return found.answer
  }
}

/** The same for functions of two objects, such as a program and one of its functions: once per pair. */
export const oncePerPair = <One extends object, Other extends object, Answer>(
  answer: (one: One, other: Other) => Answer,
): ((one: One, other: Other) => Answer) => {
  const about = oncePer((one: One) => oncePer((other: Other) => answer(one, other)))
  return (one, other) => about(one)(other)
}
