import { ok } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { UnfinishedJoin } from '../../../ipc/team.ts'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Bar } from '../../ui/group.tsx'
import { Pane } from '../../ui/pane.tsx'
import words from '../../ui/words.module.css'
import { KeyFields } from './key-fields.tsx'
import { useTeam } from './store.ts'
import { emptyDraft, keysOf } from './team-draft.ts'
import { TeamWork } from './team-work.tsx'
import styles from './team.module.css'

/** Shown instead of a library whose folder has not finished joining: continues the join, or opens another library. */
export function UnfinishedJoinPane({ unfinished }: { readonly unfinished: UnfinishedJoin }) {
  const { t } = useTranslation('team')
  const { task, resume, chooseAnother } = useTeam()
  const [isTyping, setTyping] = useState(!unfinished.hasKeys)
  const { folder, place } = unfinished
  const isOver = task?.end.kind === 'running' || task?.end.kind === 'done'
  const form = useForm({
    kept: emptyDraft,
    read: (draft) => ok(isTyping ? keysOf(draft) : null),
    save: resume,
  })
  return (
    <Pane name="list" title={t('unfinished.title')}>
      <div className={styles.unfinished}>
        <p className={words.explanation}>{t('unfinished.text')}</p>
        <Facts
          facts={[
            { name: t('unfinished.folder'), value: folder, isCode: true },
            { name: t('place'), value: `s3://${place.bucket}/${place.prefix}`, isCode: true },
            { name: t('endpoint'), value: place.endpoint ?? t('amazon'), isCode: place.endpoint !== null },
          ]}
        />
        {!isOver && (
          <form
            noValidate
            className={styles.fields}
            onSubmit={(event) => {
              event.preventDefault()
              void form.submit()
            }}
          >
            <p>{t(unfinished.hasKeys ? 'unfinished.kept' : 'unfinished.needed')}</p>
            {isTyping && <KeyFields form={form} />}
            <Bar>
              <Button look="primary" type="submit">
                {t('unfinished.resume')}
              </Button>
              {!isTyping && <Button onClick={() => setTyping(true)}>{t('unfinished.otherKeys')}</Button>}
              <Button onClick={() => void chooseAnother()}>{t('unfinished.another')}</Button>
            </Bar>
          </form>
        )}
        <TeamWork />
      </div>
    </Pane>
  )
}
