/**
 * Whether a typed name is that of an editor who is known by e-mail: the address itself, also behind a name, or the words before
 * its `@` in any order. Ignores case.
 */
export function isSamePerson(name: string, email: string): boolean {
  const [typed, address] = [name.trim().toLowerCase(), email.trim().toLowerCase()]
  if (typed === address || typed.includes(`<${address}>`)) return true
  const words = (text: string): string =>
    text
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .toSorted()
      .join(' ')
  const local = words(address.slice(0, address.lastIndexOf('@')))
  return local !== '' && words(typed) === local
}
