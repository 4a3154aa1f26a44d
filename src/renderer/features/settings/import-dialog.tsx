import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ImportableSite } from '../../../ipc/sites.ts'
import { codeOf } from '../../domain/guide.ts'
import { Means } from '../../domain/means.tsx'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Facts } from '../../ui/facts.tsx'
import words from '../../ui/words.module.css'
import { useSiteList } from './sites-store.ts'

const namedFields = [
  'id',
  'name',
  'baseUrl',
  'apiKey',
  'callbackUrl',
  'publicUrl',
  'allowedDomains',
  'signatureHeader',
  'downloadOrigins',
] as const

interface Props {
  readonly found: readonly ImportableSite[]
}

/**
 * The sites in a file with the addresses they would use. Sites that would replace an existing one, shown with its
 * current addresses, or that use plain http start unticked.
 */
export function ImportDialog({ found }: Props) {
  const { t } = useTranslation('settings')
  const problemText = useProblemText()
  const { problem, notImported, importSites, closeImport } = useSiteList()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        found
          .filter((site) => site.problem === null && site.replaces === null && site.plain.length === 0)
          .map(({ id }) => id),
      ),
  )
  const ids = found.map(({ id }) => id).filter((id) => chosen.has(id))
  return (
    <Dialog title={t('sites.importing.title')} size="large" onClose={closeImport}>
      {problem !== null && (
        <Banner
          tone="danger"
          text={
            notImported === null
              ? problemText(problem)
              : t('sites.importing.failed', { site: notImported, problem: problemText(problem) })
          }
        >
          <Means code={codeOf(problem)} hasWords />
        </Banner>
      )}
      <DialogForm
        onSubmit={() => void importSites(ids)}
        actions={<CancelAndSubmit onCancel={closeImport} submit={t('sites.importing.submit', { count: ids.length })} />}
      >
        <p className={words.explanation}>{t(found.length === 0 ? 'sites.importing.empty' : 'sites.importing.text')}</p>
        <ul>
          {found.map((site) => (
            <FoundSite
              key={site.id}
              site={site}
              isChosen={chosen.has(site.id)}
              onChoose={(isIn) =>
                setChosen(new Set(isIn ? [...chosen, site.id] : [...chosen].filter((other) => other !== site.id)))
              }
            />
          ))}
        </ul>
      </DialogForm>
    </Dialog>
  )
}

interface FoundProps {
  readonly site: ImportableSite
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

/** One site of the file: the addresses it would use, or why it is unusable. */
function FoundSite({ site, isChosen, onChoose }: FoundProps) {
  const { t } = useTranslation(['settings', 'sites'])
  const { id, name, plain, replaces, settings, problem: unusable } = site
  const addresses = (['baseUrl', 'callbackUrl', 'publish'] as const).map((key) => ({
    name: t(`sites.importing.addresses.${key}`),
    value:
      replaces === null || replaces[key] === settings[key]
        ? settings[key]
        : t('sites.importing.changes', { after: settings[key], before: replaces[key] }),
    isCode: true,
  }))
  const nameOf = (field: string): string => {
    const named = namedFields.find((known) => known === field)
    return named === undefined ? field : t(`sites:form.${named}`)
  }
  return (
    <Entry>
      {unusable === null ? <Checkbox label={name} isChecked={isChosen} onChange={onChoose} /> : <span>{name}</span>}
      <span className={words.code}>{id}</span>
      {unusable === null ? (
        <>
          {plain.length > 0 && (
            <span className={words.problem}>{t('sites.importing.unencrypted', { addresses: plain.join(', ') })}</span>
          )}
          {replaces !== null && <span className={words.meta}>{t('sites.importing.known')}</span>}
          <Facts facts={addresses} />
        </>
      ) : (
        <span className={words.problem}>
          {unusable.state === 'plain_http'
            ? t('sites.importing.plainHttp')
            : t('sites.importing.unusable', { field: nameOf(unusable.field) })}
        </span>
      )}
    </Entry>
  )
}
