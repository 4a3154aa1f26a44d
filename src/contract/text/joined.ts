/** Builds a text from many short pieces and joins them regularly, to save the memory of the pieces. */
export function createJoined(piecesAtMost = 4096) {
  const texts: string[] = []
  let pieces: string[] = []
  let length = 0
  const join = (): void => {
    texts.push(pieces.join(''))
    pieces = []
  }
  return {
    add(piece: string): void {
      length += piece.length
      if (pieces.push(piece) === piecesAtMost) join()
    },
    length: (): number => length,
    text(): string {
      join()
      return texts.join('')
    },
  }
}
