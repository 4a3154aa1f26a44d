/** What the listener of a library truly does right now. */
export type ListenerState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'listening'; readonly url: string }
  /** Another process serves this library; this one reads beside it. */
  | { readonly kind: 'elsewhere'; readonly processId: number; readonly url: string | null }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' }
