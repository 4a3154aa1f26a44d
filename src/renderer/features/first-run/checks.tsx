import type { SiteCheck } from '@galley/library/records'

import { checkTone, useCheckText } from '../../domain/check-text.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Status } from '../../ui/status.tsx'
import { Outcome } from './outcome.tsx'
import type { Tested } from './store.ts'

interface Props {
  readonly tested: Tested<readonly SiteCheck[]>
  /** The checks of this step. */
  readonly names: readonly SiteCheck['name'][]
}

/** Self-test results, one per line. */
export function Checks({ tested, names }: Props) {
  const checkText = useCheckText()
  const problemText = useProblemText()
  return (
    <Outcome>
      {tested.kind === 'failed' && <Status tone="danger" word={problemText(tested.problem)} />}
      {tested.kind === 'done' &&
        tested.value
          .filter(({ name }) => names.includes(name))
          .map((check) => <Status key={check.name} tone={checkTone(check)} word={checkText(check)} />)}
    </Outcome>
  )
}
