/**
 * A small, independent reading of JSON for the tests: recursive, by the grammar, throwing on what it does not know. It
 * shares nothing with the reader under test and is as slow as it likes.
 */
export type Token = string

export function jsonTokens(text: string): readonly Token[] {
  const tokens: Token[] = []
  let rest = text
  const take = (pattern: RegExp): Token => {
    const [token] = pattern.exec(rest) ?? []
    if (token === undefined) throw new SyntaxError(`unexpected ${rest.slice(0, 20)}`)
    rest = rest.slice(token.length).replace(/^[ \t\r\n]+/, '')
    tokens.push(token)
    return token
  }
  const string = /^"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/
  const list = (close: RegExp, item: () => void): void => {
    if (!close.test(rest)) {
      item()
      while (rest.startsWith(',')) {
        take(/^,/)
        item()
      }
    }
    take(close)
  }
  const value = (): void => {
    if (rest.startsWith('"')) take(string)
    else if (rest.startsWith('{')) {
      take(/^\{/)
      list(/^\}/, () => {
        take(string)
        take(/^:/)
        value()
      })
    } else if (rest.startsWith('[')) {
      take(/^\[/)
      list(/^\]/, value)
    } else take(/^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/)
  }
  rest = rest.replace(/^[ \t\r\n]+/, '')
  value()
  if (rest !== '') throw new SyntaxError(`more text: ${rest.slice(0, 20)}`)
  return tokens
}
