import type { Answer } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { TargetFinding, TargetRow } from '../../../ipc/publishing.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { ProblemBanner } from '../../domain/means.tsx'
import { causeIn } from '../../i18n/cause-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Lines } from '../../ui/lines.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './publish.module.css'

interface Props {
  readonly target: TargetRow
  readonly onClose: () => void
}

/** Checks the connection to a target and shows the results. */
export function CheckDialog({ target: { site, name }, onClose }: Props) {
  const { t } = useTranslation(['publish', 'ui'])
  const bridge = useBridge()
  const [answer, setAnswer] = useState<Answer<readonly TargetFinding[]> | null>(null)
  useEffect(() => {
    let isShown = true
    void catchUnexpected(bridge.call('checkTarget', { site, target: name })).then(
      (found) => isShown && setAnswer(found),
    )
    return () => void (isShown = false)
  }, [bridge, site, name])
  const close = (
    <Button look="primary" onClick={onClose}>
      {t('ui:close')}
    </Button>
  )
  return (
    <Dialog title={t('checking.title', { name })} onClose={onClose}>
      <DialogBody actions={close}>
        {answer === null && (
          <div role="status">
            <p>{t('checking.running', { name })}</p>
            <Skeleton rows={3} />
          </div>
        )}
        {answer?.ok === false && <ProblemBanner problem={answer.failure} />}
        {answer?.ok === true && <Checks findings={answer.value} />}
      </DialogBody>
    </Dialog>
  )
}

function Checks({ findings }: { readonly findings: readonly TargetFinding[] }) {
  const { t, i18n } = useTranslation('publish')
  const causes = i18n.getFixedT(i18n.language, 'causes')
  const isFine = findings.every(({ ok }) => ok)
  return (
    <div role="status">
      <p>{t(isFine ? 'checking.fine' : 'checking.bad')}</p>
      <Lines>
        {findings.map(({ name, ok, why, detail }) => (
          <li key={name} className={styles.finding}>
            <Status
              tone={!ok ? 'danger' : why === null ? 'success' : 'warning'}
              word={t('checking.result', {
                what: t(`checking.names.${name}`),
                result: t(!ok ? 'checking.fails' : why === null ? 'checking.ok' : 'checking.note'),
              })}
            />
            {why !== null && <span>{causeIn(why, causes)}</span>}
            {!ok && why === null && <span>{t('checking.other')}</span>}
            {detail !== null && <span className={words.code}>{detail}</span>}
          </li>
        ))}
      </Lines>
    </div>
  )
}
