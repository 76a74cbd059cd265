import { subterms, type Term } from "./terms.ts"

/**
 * Whether a term or any of its parts is accepted, with the answer kept for each part: terms share their parts, and the
 * thousands of calls of an instruction have most of theirs in common. No deeper than terms are. Parts of what is
 * `hidden` do not count.
 */
export const mentioning = (
  accept: (term: Term) => boolean,
  hidden: (term: Term) => boolean = () => false,
): ((term: Term) => boolean) => {
  const answers = new WeakMap<Term, boolean>()
  const ask = (term: Term): boolean => {
    let answer = answers.get(term)
    if (answer === undefined) answers.set(term, (answer = accept(term) || (!hidden(term) && subterms(term).some(ask))))
    return answer
  }
  return ask
}
