import { CliError } from '../../errors/cli-error.ts';

/** A package that a command needs and that is not installed. */
class PackageMissing extends CliError {}

/** Loads DuckDB, which is installed on demand: it is a native binary of 70 MB. @throws PackageMissing */
export async function loadDuckdb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new PackageMissing(
      'DuckDB is not installed. Run "npm install @duckdb/node-api" next to @brandport/cli, or pull to Parquet files, which DuckDB reads.',
    );
  }
}
