import { Fragment, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { KeyVariable } from '../../../contract/ipc/settings.ts'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './settings.module.css'

/** Where the keys of a bucket come from, and whether they are there; Galley itself holds none. */
export function BucketKeys({ read }: { readonly read: () => Promise<readonly KeyVariable[] | null> }) {
  const { t } = useTranslation('settings')
  const [variables, setVariables] = useState<readonly KeyVariable[] | null>(null)
  useEffect(() => void read().then(setVariables), [read])
  return (
    <section aria-label={t('sites.limiting.keys')}>
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
    </section>
  )
}
