import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ImportableSite, SiteForm } from '../../../contract/ipc/sites.ts'
import { plainAddresses } from '../../../contract/plain-http.ts'
import { useProblemText } from '../../data/problem.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Entry } from '../../ui/entry.tsx'
import words from '../../ui/words.module.css'
import type { createSiteList } from './sites-store.ts'

interface Props {
  readonly found: readonly ImportableSite[]
  readonly useSiteList: ReturnType<typeof createSiteList>
}

const plainOf = (form: SiteForm): string =>
  plainAddresses({ downloadOrigins: [], ...form })
    .map(({ url }) => url)
    .join(', ')

/** The sites of a file, to be ticked; those that would replace one here or use plain http are not ticked at first. */
export function ImportDialog({ found, useSiteList }: Props) {
  const { t } = useTranslation(['settings', 'ui'])
  const problemText = useProblemText()
  const { problem, notImported, importSites, closeImport } = useSiteList()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        found
          .filter(({ problem, isKnown, form }) => problem === null && !isKnown && plainOf(form) === '')
          .map(({ form }) => form.id),
      ),
  )
  const forms = found.map(({ form }) => form).filter(({ id }) => chosen.has(id))
  return (
    <Dialog title={t('sites.importing.title')} onClose={closeImport}>
      {problem !== null && notImported !== null && (
        <Banner
          tone="danger"
          text={t('sites.importing.failed', { site: notImported, problem: problemText(problem) })}
        />
      )}
      <DialogForm
        onSubmit={() => void importSites(forms)}
        actions={
          <>
            <Button onClick={closeImport}>{t('ui:cancel')}</Button>
            <Button look="primary" type="submit">
              {t('sites.importing.submit', { count: forms.length })}
            </Button>
          </>
        }
      >
        <p className={words.explanation}>{t(found.length === 0 ? 'sites.importing.empty' : 'sites.importing.text')}</p>
        <ul>
          {found.map(({ form, isKnown, problem: unusable }) => (
            <Entry key={form.id}>
              {unusable === null ? (
                <Checkbox
                  label={form.name}
                  isChecked={chosen.has(form.id)}
                  onChange={(isChecked) =>
                    setChosen(new Set(isChecked ? [...chosen, form.id] : [...chosen].filter((id) => id !== form.id)))
                  }
                />
              ) : (
                <span>{form.name}</span>
              )}
              <span className={words.code}>{form.id}</span>
              {unusable !== null && (
                <span className={words.problem}>
                  {unusable.reason === 'plain_http'
                    ? t('sites.importing.plainHttp')
                    : t('sites.importing.unusable', { field: unusable.field })}
                </span>
              )}
              {unusable === null && plainOf(form) !== '' && (
                <span className={words.problem}>{t('sites.importing.unencrypted', { addresses: plainOf(form) })}</span>
              )}
              {unusable === null && isKnown && <span className={words.meta}>{t('sites.importing.known')}</span>}
            </Entry>
          ))}
        </ul>
      </DialogForm>
    </Dialog>
  )
}
