import type { TeamView } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { teamTones, teamStateText } from '../../domain/team-state.ts'
import { causeIn } from '../../i18n/cause-text.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { useNow } from '../../ui/now.ts'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import { Conflicts } from './conflicts.tsx'
import { useTeam } from './store.ts'
import type { TeamForm } from './team-dialog.tsx'
import { TeamDialog } from './team-dialog.tsx'
import { TeamWork } from './team-work.tsx'

/** Shows whether the library is on this computer or shared by a team, and changes that. */
export function TeamSection() {
  const { view, load } = useTeam()
  const [form, setForm] = useState<TeamForm | null>(null)
  useEffect(() => void load(), [load])
  return (
    <>
      {view === null ? <OwnLibrary onOpen={setForm} /> : <Membership view={view} onOpen={setForm} />}
      {form !== null && <TeamDialog what={form} onClose={() => setForm(null)} />}
    </>
  )
}

interface FormProps {
  readonly onOpen: (form: TeamForm) => void
}

function OwnLibrary({ onOpen }: FormProps) {
  const { t } = useTranslation('team')
  const isBusy = useTeam(({ task }) => task?.end.kind === 'running')
  return (
    <>
      <Group title={t('own')} text={t('ownText')}>
        {null}
      </Group>
      <Group title={t('title')} text={t('text')}>
        {!isBusy && (
          <Bar>
            <Button onClick={() => onOpen('join')}>{t('join')}</Button>
            <Button onClick={() => onOpen('import')}>{t('import')}</Button>
          </Bar>
        )}
        <TeamWork />
      </Group>
    </>
  )
}

function Membership({ view, onOpen }: FormProps & { readonly view: TeamView }) {
  const { t } = useTranslation('team')
  const formats = useFormats()
  const nowMs = useNow()
  const sync = useTeam((state) => state.sync)
  const { bucket, prefix, endpoint, region, isReadOnly, probe, syncState } = view
  return (
    <>
      <Conflicts />
      <Group title={t('title')} text={t('text')}>
        <Facts
          facts={[
            {
              name: t('syncState'),
              value: <Status tone={teamTones[syncState.kind]} word={teamStateText(view, t, formats, nowMs)} />,
            },
            { name: t('place'), value: `s3://${bucket}/${prefix}`, isCode: true },
            { name: t('endpoint'), value: endpoint ?? t('amazon'), isCode: endpoint !== null },
            ...(region === null ? [] : [{ name: t('region'), value: region, isCode: true }]),
            { name: t('access'), value: t(isReadOnly ? 'readOnly' : 'readWrite') },
            {
              name: t('probe'),
              value:
                probe.requests === 0
                  ? t('notProbed')
                  : t('probed', { count: probe.requests, when: formats.relative(probe.at, nowMs) }),
            },
          ]}
        />
        {isReadOnly && <p className={words.explanation}>{t('readOnlyText')}</p>}
        <SyncProblem view={view} />
        <Bar>
          <Button onClick={() => void sync()}>{t('sync')}</Button>
          <Button onClick={() => onOpen('keys')}>{t('changeKeys')}</Button>
        </Bar>
      </Group>
      <Leaving />
    </>
  )
}

/** Why the team is not followed, where it is not. */
function SyncProblem({ view: { syncState } }: { readonly view: TeamView }) {
  const { t, i18n } = useTranslation('team')
  if (syncState.kind !== 'offline' && syncState.kind !== 'stopped' && syncState.kind !== 'refusing') return null
  const reason = causeIn(syncState.why, i18n.getFixedT(i18n.language, 'causes'))
  return <p className={words.problem}>{t(`health.${syncState.kind}Text`, { reason })}</p>
}

function Leaving() {
  const { t } = useTranslation('team')
  const leave = useTeam((state) => state.leave)
  const isBusy = useTeam(({ task }) => task?.end.kind === 'running')
  const [fetchAll, setFetchAll] = useState(true)
  return (
    <Group title={t('leaving.title')} text={t('leaving.text')}>
      <div>
        <Checkbox label={t('leaving.fetchAll')} isChecked={fetchAll} onChange={setFetchAll} />
        <p className={words.explanation}>{t('leaving.fetchAllText')}</p>
      </div>
      {!isBusy && (
        <Bar>
          <Button onClick={() => void leave(fetchAll)}>{t('leaving.start')}</Button>
        </Bar>
      )}
      <TeamWork />
    </Group>
  )
}
