import type { TaskProgress } from '@galley/wire'

/** To a background thread. */
export type ToThread =
  | { readonly kind: 'job'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'answer'; readonly number: number; readonly output: unknown }
  | { readonly kind: 'cancel' }

/** From a background thread. A job ends with `done` or `cancelled`, or when the thread ends. */
export type FromThread =
  | { readonly kind: 'progress'; readonly progress: TaskProgress }
  | { readonly kind: 'ask'; readonly number: number; readonly name: string; readonly input: unknown }
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'cancelled' }
