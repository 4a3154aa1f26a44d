import { useState } from 'react'

import { NameView } from '../../domain/name-view.tsx'
import { parsedOr } from '../../ui/kept.ts'
import { SavedViews } from '../../ui/saved-views.tsx'
import { everything, questionSchema } from './question.ts'
import { useCallbackList, useCallbackViews } from './store.ts'

/** The log's saved views, and the dialog that names a new one. */
export function Views() {
  const { question, ask } = useCallbackList()
  const { views, save, remove } = useCallbackViews()
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
      {isNaming && <NameView views={views} onSave={(name) => save(name, asked)} onClose={() => setNaming(false)} />}
    </>
  )
}
