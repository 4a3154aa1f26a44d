/** The duration of one step of a callback or a publication. */
export interface Step {
  readonly name: string
  readonly ms: number
}
