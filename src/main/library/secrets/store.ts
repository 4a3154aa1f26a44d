import type { Result } from '../../../contract/result.ts'

/** Why a store cannot be used right now; a store that merely has no such entry reads as null. */
export type StoreProblem = 'locked' | 'unavailable'

/** A place for secrets, by account name. Reads and writes are apart on purpose: a failed read never leads to a write. */
export interface SecretStore {
  read(account: string): Promise<Result<string | null, StoreProblem>>
  write(account: string, value: string): Promise<Result<null, StoreProblem>>
  remove(account: string): Promise<Result<null, StoreProblem>>
}
