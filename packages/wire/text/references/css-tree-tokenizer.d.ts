// @types/css-tree does not cover this entry, and the whole package is too heavy to load.
declare module 'css-tree/tokenizer' {
  /** Splits CSS into tokens (CSS Syntax 3, 4.3) and reports the type and range of each, in order, including comments. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void
  export const tokenTypes: Readonly<
    Record<
      | 'Function'
      | 'AtKeyword'
      | 'String'
      | 'Url'
      | 'BadUrl'
      | 'WhiteSpace'
      | 'LeftParenthesis'
      | 'RightParenthesis'
      | 'Comment'
      | 'LeftCurlyBracket'
      | 'RightCurlyBracket'
      | 'Semicolon'
      | 'Colon'
      | 'Ident',
      number
    >
  >
}
