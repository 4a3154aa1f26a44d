import { useState } from 'react'

import { parsedOr } from '../../ui/kept.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import type { SavedViewsStore } from '../../stores/saved-views.ts'
import { NameView, SavedViews } from '../../ui/saved-views.tsx'
import { everything, questionSchema } from './question.ts'
import type { CallbackList } from './store.ts'

interface Props extends Pick<CallbackList, 'useList'> {
  readonly useViews: SavedViewsStore
}

/** The saved views of the log, and the dialog that names another one. */
export function Views({ useList, useViews }: Props) {
  const problemText = useProblemText()
  const { question, ask } = useList()
  const { views, save, remove } = useViews()
  const [isNaming, setNaming] = useState(false)
  const asked = JSON.stringify(question)
  return (
    <>
      <SavedViews
        views={views}
        asked={asked}
        onChoose={(query) => ask(parsedOr(query, questionSchema, everything))}
        onSave={() => setNaming(true)}
        onRemove={(name) => void remove(name)}
      />
      {isNaming && (
        <NameView
          views={views}
          onSave={async (name) => {
            const saved = await save(name, asked)
            return saved.ok ? null : problemText(saved.failure)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
