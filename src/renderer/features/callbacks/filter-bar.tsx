import { callbackKinds, outcomes, signatureStates } from '@galley/library/records'
import type { Facet } from '@galley/library/records'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { NameView } from '../../domain/name-view.tsx'
import { useRemoveView } from '../../domain/remove-view.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, FilterMenu } from '../../ui/filter-menu.tsx'
import { parsedOr } from '../../ui/kept.ts'
import { SavedViews } from '../../ui/saved-views.tsx'
import { Strip } from '../../ui/strip.tsx'
import { BetweenDialog } from './between-dialog.tsx'
import styles from './callback-log.module.css'
import { everything, isNarrowed, questionSchema, spans } from './question.ts'
import { useCallbackList, useCallbackViews } from './store.ts'
import { useWhenText } from './when-text.ts'

/** The log's saved views, and the dialog that names a new one. */
function Views() {
  const { question, ask } = useCallbackList()
  const saved = useCallbackViews()
  const { views, save } = saved
  const removeView = useRemoveView(saved)
  const [isNaming, setNaming] = useState(false)
  const asked = JSON.stringify(question)
  return (
    <>
      <SavedViews
        views={views}
        asked={asked}
        onChoose={(query) => ask(parsedOr(query, questionSchema, everything))}
        onSave={() => setNaming(true)}
        onRemove={removeView}
      />
      {isNaming && <NameView views={views} onSave={(name) => save(name, asked)} onClose={() => setNaming(false)} />}
    </>
  )
}

/** Filters, saved views, and the number of new callbacks. */
export function FilterBar() {
  const { t } = useTranslation(['callbacks', 'ui'])
  const { question, newer, counts, ask, count, showNew } = useCallbackList()
  return (
    <Strip
      label={t('ui:filters.title')}
      end={
        <>
          {newer > 0 && (
            <KeyedButton
              look="primary"
              icon={RefreshCw}
              className={styles.newer}
              command="callbacks.showNew"
              onClick={() => void showNew()}
            >
              {t('newer', { count: newer })}
            </KeyedButton>
          )}
          <Views />
        </>
      }
    >
      <Choice
        label={t('columns.outcome')}
        all={outcomes}
        chosen={question.outcomes}
        counts={counts?.outcomes}
        word={(outcome) => t(`outcomes.${outcome}`)}
        onOpen={() => void count()}
        onChange={(chosen) => ask({ outcomes: chosen })}
      />
      <Choice
        label={t('columns.event')}
        all={callbackKinds}
        chosen={question.kinds}
        counts={counts?.kinds}
        word={(kind) => t(`events.${kind}`)}
        onOpen={() => void count()}
        onChange={(chosen) => ask({ kinds: chosen })}
      />
      <Choice
        label={t('columns.signature')}
        all={signatureStates}
        chosen={question.signatures}
        word={(signature) => t(`signatures.${signature}`)}
        onChange={(chosen) => ask({ signatures: chosen })}
      />
      <WhenChoice />
      <FilterMenu
        label={t(question.isOfAllSites ? 'scope.all' : 'scope.title')}
        isNarrowing={question.isOfAllSites}
        items={[false, true].map((isOfAllSites) => ({
          kind: 'check',
          key: String(isOfAllSites),
          label: t(isOfAllSites ? 'scope.all' : 'scope.one'),
          isChecked: question.isOfAllSites === isOfAllSites,
          isChoice: true,
          onChange: () => ask({ isOfAllSites }),
        }))}
      />
      {question.materialId !== null && (
        <Filter
          name={t('columns.material')}
          chosen={[question.materialId]}
          items={[{ key: 'all', label: t('scope.allMaterials'), onSelect: () => ask({ materialId: null }) }]}
        />
      )}
      {isNarrowed(question) && <ClearFilters />}
    </Strip>
  )
}

/** Clears all filters but keeps the site and sort order. */
export function ClearFilters({ look = 'quiet' }: { readonly look?: 'quiet' | 'plain' }) {
  const { t } = useTranslation('ui')
  const { question, ask } = useCallbackList()
  const { isOfAllSites, sort } = question
  return (
    <Button look={look} onClick={() => ask({ ...everything, isOfAllSites, sort })}>
      {t('clearFilters')}
    </Button>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly all: readonly Value[]
  readonly chosen: readonly Value[]
  readonly counts?: readonly Facet[] | undefined
  readonly word: (value: Value) => string
  readonly onOpen?: () => void
  readonly onChange: (chosen: readonly Value[]) => void
}

/** A multiple-choice filter; no choice means no filter. */
function Choice<Value extends string>({ label, all, chosen, counts, word, onOpen, onChange }: ChoiceProps<Value>) {
  const { t } = useTranslation('ui')
  const optionOf = (value: Value): string => {
    if (counts === undefined) return word(value)
    return t('filters.option', { name: word(value), count: counts.find((facet) => facet.value === value)?.count ?? 0 })
  }
  return (
    <Filter
      name={label}
      chosen={chosen.map((value) => word(value))}
      {...(onOpen && { onOpen })}
      items={all.map((value) => ({
        kind: 'check',
        key: value,
        label: optionOf(value),
        isChecked: chosen.includes(value),
        onChange: (isChecked) => onChange(all.filter((one) => (one === value ? isChecked : chosen.includes(one)))),
      }))}
    />
  )
}

/** Filters by time: a recent period or a range. */
function WhenChoice() {
  const { t } = useTranslation(['callbacks', 'ui'])
  const { question, ask } = useCallbackList()
  const whenText = useWhenText()
  const [isAsking, setAsking] = useState(false)
  const { when } = question
  const text = whenText(when)
  return (
    <>
      <Filter
        name={t('columns.received')}
        chosen={text === null ? [] : [text]}
        items={[
          {
            kind: 'check',
            key: 'any',
            label: t('ui:spans.any'),
            isChecked: when.kind === 'any',
            isChoice: true,
            onChange: () => ask({ when: { kind: 'any' } }),
          },
          ...spans.map((span) => ({
            kind: 'check' as const,
            key: span,
            label: t(`ui:spans.${span}`),
            isChecked: when.kind === 'last' && when.span === span,
            isChoice: true,
            onChange: () => ask({ when: { kind: 'last', span } }),
          })),
          {
            kind: 'check',
            key: 'between',
            label: t('when.between'),
            isChecked: when.kind === 'between',
            isChoice: true,
            onChange: () => setAsking(true),
          },
        ]}
      />
      {isAsking && (
        <BetweenDialog when={when} onChoose={(chosen) => ask({ when: chosen })} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
