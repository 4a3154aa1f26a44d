/** A path that was just chosen: the path for display and its token. */
export interface ChosenPath {
  readonly token: string
  readonly path: string
}
