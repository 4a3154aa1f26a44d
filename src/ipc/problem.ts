import type { z } from 'zod'

/** The validators for the arguments of one subject's calls. A missing call does not compile. */
export type Inputs<Subject> = {
  readonly [Name in keyof Subject]: Subject[Name] extends { input: infer Input } ? z.ZodType<Input> : never
}
