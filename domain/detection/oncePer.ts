/** The same function, which works out its answer once for each key and keeps it for as long as the key lives. */
export const oncePer = <Key extends object, Answer>(answer: (key: Key) => Answer): ((key: Key) => Answer) => {
  const known = new WeakMap<Key, { readonly answer: Answer }>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = { answer: answer(key) }))
    return found.answer
  }
}
