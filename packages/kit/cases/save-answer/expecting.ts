import type { Bench, Delivered } from '../../drive/bench.ts'
import type { Verdict } from '../../judge/verdict.ts'
import type { Case } from '../../suite/case.ts'
import { contract } from '../../suite/case.ts'

/** A case about one aspect of the answer to an ordinary save. */
export const plainSave = (
  id: string,
  name: string,
  rule: string,
  judge: (delivered: Delivered) => Verdict,
  more: Partial<Case> = {},
): Case => ({
  id,
  name,
  rule,
  severity: 'breaks the contract',
  run: async (bench) => judge(await bench.save()),
  ...more,
})

export const dummyRule = contract(
  'Errors 2',
  'a clientUrl that is empty or begins with dummy- fails the webhook: dummy_client_url',
)

/** A second material, and whether the backend is said to know it. */
export function otherMaterial({ run, material }: Bench): { readonly id: string; readonly isKnown: boolean } {
  const known = run.materials.find((each) => each !== material)
  return { id: known ?? `conformance-other-${run.fresh()}`, isKnown: known !== undefined }
}
