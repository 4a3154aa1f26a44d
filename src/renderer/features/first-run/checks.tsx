import type { SiteCheck } from '@galley/library/records'

import { checkTone, useCheckText } from '../../domain/check-text.ts'
import { Means, ProblemLine } from '../../domain/means.tsx'
import { Status } from '../../ui/status.tsx'
import styles from './first-run.module.css'
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
  return (
    <Outcome>
      {tested.kind === 'failed' && <ProblemLine problem={tested.problem} />}
      {tested.kind === 'done' &&
        tested.value
          .filter(({ name }) => names.includes(name))
          .map((check) => (
            <div key={check.name} className={styles.check}>
              <Status tone={checkTone(check)} word={checkText(check)} />
              {!check.ok && <Means code={`check:${check.code}`} />}
            </div>
          ))}
    </Outcome>
  )
}
