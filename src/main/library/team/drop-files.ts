import type { FileKey } from './keys.ts'
import type { Replica } from './replica.ts'
import type { Protocol } from './requests.ts'
import { untilKnown } from './requests.ts'
import { writeEntry } from './write-entry.ts'

/**
 * Writes a wish that drops files, and then removes their objects. `removable`: the keys that no file of the log has any
 * more and none will have again, since a dropped file that comes back gets another one. What a killed machine leaves is
 * removed by the next that drops something.
 */
export function* dropFiles<Wish>(
  replica: Replica<Wish>,
  wish: Wish,
  removable: () => readonly FileKey[],
): Protocol<void> {
  yield* writeEntry(replica, wish)
  for (const key of removable()) yield* untilKnown({ kind: 'remove', key })
}
