import { useState } from 'react'

import { texts } from '../../texts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { createMaterials } from './store.ts'

const words = texts.materials.form

/** Opens a material that the library does not know yet, by its id and a title. */
export function NewMaterial({ useMaterials }: { readonly useMaterials: ReturnType<typeof createMaterials> }) {
  const { open, opening, setCreating } = useMaterials()
  const [materialId, setMaterialId] = useState('')
  const [title, setTitle] = useState('')
  const problem = opening.kind === 'failed' ? opening.problem : null
  const isAtField = problem?.field === 'materialId' || problem?.field === 'title'
  const isReady = materialId.trim() !== '' && opening.kind !== 'opening'
  const submit = (): void => {
    if (isReady) void open(materialId.trim(), title.trim() === '' ? null : title.trim())
  }
  return (
    <Dialog title={words.title} onClose={() => setCreating(false)}>
      {problem !== null && !isAtField && <Banner tone="danger" text={problem.message} />}
      <DialogForm
        onSubmit={submit}
        actions={
          <>
            <Button onClick={() => setCreating(false)}>{texts.cancel}</Button>
            <Button look="primary" type="submit" aria-disabled={!isReady}>
              {opening.kind === 'opening' ? texts.materials.opening : words.submit}
            </Button>
          </>
        }
      >
        <p>{words.text}</p>
        <Field
          label={words.id}
          hint={words.idHint}
          error={problem?.field === 'materialId' ? problem.message : undefined}
        >
          {(control) => (
            <input
              {...control}
              value={materialId}
              spellCheck={false}
              onChange={(event) => setMaterialId(event.target.value)}
            />
          )}
        </Field>
        <Field label={words.name} error={problem?.field === 'title' ? problem.message : undefined}>
          {(control) => <input {...control} value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
      </DialogForm>
    </Dialog>
  )
}
