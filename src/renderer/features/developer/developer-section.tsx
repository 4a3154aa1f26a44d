import type { SiteSummary } from '@galley/library/records'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { EmulatorState } from '../../../ipc/developer.ts'
import { faultNames } from '../../../ipc/developer.ts'
import { ProblemBanner } from '../../domain/means.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import words from '../../ui/words.module.css'
import { KitForm } from './kit.tsx'
import { useDeveloper } from './store.ts'

interface Props {
  /** The site that is shown, if any. */
  readonly site: SiteSummary | null
  readonly selfTest: ReactNode
  /** Opens the settings of the site. */
  readonly onEdit: () => void
}

/** For developers of a site's backend: self-test, emulator with faults on demand, and conformance kit. */
export function DeveloperSection({ site, selfTest, onEdit }: Props) {
  const { t } = useTranslation('developer')
  const { view, load } = useDeveloper()
  if (site === null) return <p className={words.explanation}>{t('noSite')}</p>
  if (view.kind === 'loading') return <Skeleton rows={5} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void load()} />
  const { emulator, themes, report } = view.items
  return (
    <>
      {selfTest}
      <EmulatorGroup site={site} emulator={emulator} onEdit={onEdit} />
      <KitForm key={site.id} site={site} emulator={emulator} themes={themes} report={report} />
    </>
  )
}

interface EmulatorProps extends Pick<Props, 'onEdit'> {
  readonly site: SiteSummary
  readonly emulator: EmulatorState | null
}

function EmulatorGroup({ site, emulator, onEdit }: EmulatorProps) {
  const { t } = useTranslation('developer')
  const { isStarting, problem, start, stop, open } = useDeveloper()
  const isOther = emulator !== null && emulator.baseUrl !== site.baseUrl.replace(/\/+$/, '')
  return (
    <Group title={t('emulator.title')} text={t('emulator.text')}>
      {problem !== null && <ProblemBanner problem={problem} />}
      {emulator === null ? (
        <Bar>
          <Button aria-disabled={isStarting} onClick={() => void start()}>
            {isStarting ? t('emulator.starting') : t('emulator.start')}
          </Button>
        </Bar>
      ) : (
        <>
          <Facts
            facts={(['url', 'baseUrl', 'apiKey'] as const).map((name) => ({
              name: t(`emulator.${name}`),
              value: emulator[name],
              isCode: true,
            }))}
          />
          {isOther && (
            <Banner tone="info" text={t('emulator.other', { service: site.baseUrl, emulator: emulator.baseUrl })}>
              <Button onClick={onEdit}>{t('emulator.edit')}</Button>
            </Banner>
          )}
          <Bar>
            <Button onClick={() => void open()}>{t('emulator.open')}</Button>
            <Button onClick={() => void stop()}>{t('emulator.stop')}</Button>
          </Bar>
          <Faults faults={emulator.faults} />
        </>
      )}
    </Group>
  )
}

/** Orders faults, and lists those that have not happened yet. */
function Faults({ faults }: Pick<EmulatorState, 'faults'>) {
  const { t } = useTranslation('developer')
  const { order, clear } = useDeveloper()
  const [chosen, choose] = useState(faultNames[0])
  if (chosen === undefined) return null
  return (
    <>
      <SelectField
        label={t('emulator.fault')}
        value={chosen}
        options={faultNames.map((kind) => ({ value: kind, label: [kind, t(`faults.${kind}`)].join(': ') }))}
        onChange={choose}
      />
      <Bar>
        <Button onClick={() => void order(chosen)}>{t('emulator.order')}</Button>
        {faults.length > 0 && <Button onClick={() => void clear()}>{t('emulator.clear')}</Button>}
      </Bar>
      <div role="status">
        {faults.length === 0 ? (
          <p className={words.meta}>{t('emulator.none')}</p>
        ) : (
          <>
            <p>{t('emulator.ordered')}</p>
            <ul className={words.code}>
              {faults.map(({ kind, times }, at) => (
                // oxlint-disable-next-line react/no-array-index-key
                <li key={at}>{times === 1 ? kind : `${kind} × ${times}`}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}
