/** Whether the operating system refused something, as it may at any time; anything else thrown is a bug. */
export const isSystemError = (error: unknown): error is Error & { readonly code: string; readonly path?: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
