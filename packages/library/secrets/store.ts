import type { Result } from '@galley/wire'

/** Why a store cannot be used now. A missing entry reads as null. */
export type StoreProblem = 'locked' | 'unavailable'

/**
 * A store for secrets, by account name. Reading and writing are separate on purpose: a failed read never leads to a write.
 */
export interface SecretStore {
  read(account: string): Promise<Result<string | null, StoreProblem>>
  write(account: string, value: string): Promise<Result<null, StoreProblem>>
  remove(account: string): Promise<Result<null, StoreProblem>>
}
