import type { BucketKeysPresence, KeyVariable } from '@galley/library/records'
import { Fragment, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Bar } from '../../ui/group.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import type { LimitsDraft } from './limits-draft.ts'
import styles from './settings.module.css'

interface Props {
  /** Where the current keys are stored; null: the site has no bucket yet. */
  readonly stored: BucketKeysPresence | null
  readonly draft: LimitsDraft
  readonly field: (
    key: 'place' | 'endpoint' | 'region' | 'keyId' | 'keySecret',
    label: string,
    hint?: string,
  ) => ReactNode
  readonly readVariables: () => Promise<readonly KeyVariable[] | null>
  readonly onChange: (change: Partial<LimitsDraft>) => void
}

/** The bucket's location and keys, and whether saves wait for public access. */
export function BucketFields({ stored, draft, field, readVariables, onChange }: Props) {
  const { t } = useTranslation('settings')
  const areKept = stored === 'stored' && !draft.areKeysForgotten
  return (
    <>
      {field('place', t('sites.limiting.bucket'))}
      {field('endpoint', t('sites.limiting.endpoint'), t('sites.limiting.endpointHint'))}
      {field('region', t('sites.limiting.region'), t('sites.limiting.regionHint'))}
      <section aria-label={t('sites.limiting.keys')} className={styles.keysOfBucket}>
        <p className={styles.row}>
          <span className={styles.name}>{t('sites.limiting.keys')}</span>
          <KeysState stored={stored} areForgotten={draft.areKeysForgotten} />
        </p>
        {areKept && <p className={words.explanation}>{t('sites.limiting.keysStoredText')}</p>}
        {(stored === 'locked' || stored === 'unavailable' || stored === 'changed') && (
          <p className={words.explanation}>{t('sites.limiting.keysLostText')}</p>
        )}
        {field('keyId', t('sites.limiting.keyId'))}
        {field('keySecret', t('sites.limiting.keySecret'))}
        {stored === 'stored' && (
          <Bar>
            <Button onClick={() => onChange({ areKeysForgotten: !draft.areKeysForgotten })}>
              {t(draft.areKeysForgotten ? 'sites.limiting.keepKeys' : 'sites.limiting.forgetKeys')}
            </Button>
          </Bar>
        )}
        {!areKept && draft.keyId === '' && <Variables read={readVariables} />}
      </section>
      <Checkbox
        label={t('sites.limiting.publicCheck')}
        isChecked={draft.isPublicChecked}
        onChange={(isPublicChecked) => onChange({ isPublicChecked })}
      />
      {!draft.isPublicChecked && <p className={words.explanation}>{t('sites.limiting.publicCheckOff')}</p>}
    </>
  )
}

function KeysState({ stored, areForgotten }: { readonly stored: Props['stored']; readonly areForgotten: boolean }) {
  const { t } = useTranslation('settings')
  if (areForgotten) return <Status tone="warning" word={t('sites.limiting.keysForgotten')} />
  if (stored === 'stored') return <Status tone="success" word={t('sites.limiting.keysStored')} />
  const isNone = stored === null || stored === 'missing' || stored === 'environment'
  return (
    <Status
      tone={isNone ? 'neutral' : 'danger'}
      word={t(isNone ? 'sites.limiting.keysNone' : 'sites.limiting.keysLost')}
    />
  )
}

/** Environment variables that replace stored keys, and whether they are set; never their values. */
function Variables({ read }: { readonly read: Props['readVariables'] }) {
  const { t } = useTranslation('settings')
  const [variables, setVariables] = useState<readonly KeyVariable[] | null>(null)
  useEffect(() => void read().then(setVariables), [read])
  return (
    <>
      <p className={words.explanation}>{t('sites.limiting.keysText')}</p>
      {variables !== null && (
        <dl className={styles.variables}>
          {variables.map(({ name, isSet }) => (
            <Fragment key={name}>
              <dt className={words.code}>{name}</dt>
              <dd>
                <Status
                  tone={isSet ? 'success' : 'warning'}
                  word={t(isSet ? 'sites.limiting.keySet' : 'sites.limiting.keyNotSet')}
                />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {variables?.some(({ isSet }) => !isSet) === true && (
        <p className={words.explanation}>{t('sites.limiting.keysMissing')}</p>
      )}
    </>
  )
}
