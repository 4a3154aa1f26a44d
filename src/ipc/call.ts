import type { Answer } from '@galley/library/records'
import { idText, siteIdText } from '@galley/library/records'
import type { CallbackId, MaterialId, SiteId, SnapshotId, TaskId, VersionId } from '@galley/wire'
import { z } from 'zod'

/** One call of a window: the schema by which main checks its input, and the type of its answer, which only types know. */
export type Call<Input, Output> = z.ZodType<Input> & { readonly answer?: Output }

/** Calls by name. */
export type CallTable = Readonly<Record<string, Call<unknown, unknown>>>

export type InputOf<Asked extends z.ZodType> = z.output<Asked>
export type AnswerOf<Asked> = Asked extends { readonly answer?: infer Output } ? Output : never

/** The answer of a call that starts a task. */
export type Started = Answer<{ readonly task: TaskId }>

/** Declares a call: `asks(input).gives<Output>()`. */
export const asks = <Input>(input: z.ZodType<Input>) => ({ gives: <Output>(): Call<Input, Output> => input })

/** One function for each call of a table. */
export type HandlersOf<Table extends CallTable> = {
  readonly [Name in keyof Table]: (
    input: InputOf<Table[Name]>,
  ) => AnswerOf<Table[Name]> | Promise<AnswerOf<Table[Name]>>
}

/** The value of `window.galley`, for the calls and pushes of one kind of window. */
export interface BridgeOf<Table extends CallTable, Pushes> {
  call<Name extends keyof Table>(name: Name, input: InputOf<Table[Name]>): Promise<AnswerOf<Table[Name]>>
  /** Calls back on every push until the returned function is called. */
  on<Name extends keyof Pushes>(name: Name, listener: (event: Pushes[Name]) => void): () => void
}

/** The input of a call that needs none. */
export const nothing = z.undefined()

// What many inputs have. IDs are those that the log takes: no other one names anything in a library.
export const siteId: z.ZodType<SiteId> = siteIdText
const materialId: z.ZodType<MaterialId> = idText.min(1)
export const versionId: z.ZodType<VersionId> = idText
export const snapshotId: z.ZodType<SnapshotId> = idText
export const callbackId: z.ZodType<CallbackId> = z.string().max(200)
export const manyIds: z.ZodType<readonly string[]> = z.array(idText).max(20_000)
/** A part of a list. */
export const slice = { offset: z.int().min(0), limit: z.int().min(1).max(500) }

export const inSite = z.strictObject({ site: siteId })
export const inMaterial = inSite.extend({ materialId })
export const inMaterials = inSite.extend({ materialIds: manyIds })
export const inVersion = inMaterial.extend({ versionId })

/** A path that was just chosen: the path for display and its token. */
export interface ChosenPath {
  readonly token: string
  readonly path: string
}
