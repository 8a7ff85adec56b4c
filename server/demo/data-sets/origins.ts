/** Where a data set is published, and how its folder is filled. */
export interface Origin {
  readonly from: string;
  readonly licence: string;
  /** The files that belong into the folder of the data set. */
  readonly files: string;
  /** The size of these files. */
  readonly size: string;
}

/** The origins, by the name of the data set. */
const origins: Readonly<Record<string, Origin>> = {
  'open-filament-database': {
    from: 'https://github.com/OpenFilamentCollective/open-filament-database, commit ff9f8437, folders data and stores',
    licence: 'MIT',
    files: 'catalog.ndjson.gz: each JSON file as a line {"path":…,"doc":…}, by path',
    size: '1.5 MB',
  },
  'commercetools-sunrise': {
    from: 'https://github.com/commercetools/commercetools-sunrise-data, data/products.csv of commit f2f1afdc, data/inventory.csv of c48487d7',
    licence: 'Apache-2.0',
    files: 'products.csv; inventory.csv.gz',
    size: '180 KB',
  },
  'magento2-sample-data': {
    from: 'https://github.com/magento/magento2-sample-data, commit 53807565, app/code/Magento/ConfigurableSampleData/fixtures',
    licence: 'OSL 3.0 or AFL 3.0',
    files: 'products.csv.gz, attributes.csv, categories.csv',
    size: '85 KB',
  },
  spoolmandb: {
    from: 'https://github.com/Donkie/SpoolmanDB, commit ca553475, folder filaments',
    licence: 'MIT',
    files: 'manufacturers.ndjson.gz: each JSON file as a line {"path":…,"doc":…}',
    size: '30 KB',
  },
  'uci-online-retail': {
    from: 'https://github.com/databricks/Spark-The-Definitive-Guide, commit 4ba5601e, data/retail-data/by-day (D. Chen, "Online Retail", doi.org/10.24432/C5BW33)',
    licence: 'repository: Apache-2.0; data: see the UCI Machine Learning Repository',
    files: 'online-retail.csv.gz: the day files in order of date, under one header',
    size: '7.6 MB',
  },
  oulad: {
    from: 'https://doi.org/10.1038/sdata.2017.171 (Open University Learning Analytics Dataset)',
    licence: 'CC BY 4.0',
    files:
      'courses.csv, assessments.csv, vle.csv.gz, studentRegistration.csv.gz, studentAssessment.csv.gz, studentVle.csv.gz (its first 13,905 rows are enough)',
    size: '1.2 MB',
  },
  'moodle-edify': {
    from: 'https://github.com/lamethods/data, commit 7d041ac2, folder 2_moodleEdify (Hasan et al. 2021, Data 6(11) 110)',
    licence: 'CC BY 4.0',
    files: 'the logs as Moodle_Module_<n>_<term>.csv.gz',
    size: '0.5 MB',
  },
};

/** Returns the paragraph about each of the data sets, for people who want to download them. */
export function describeOrigins(names: readonly string[]): string {
  return names
    .flatMap((name) => {
      const origin = origins[name];
      if (origin === undefined) return [];
      const { from, licence, files, size } = origin;
      return [`${name}/\n  from:    ${from}\n  licence: ${licence}\n  files:   ${files} (${size})\n`];
    })
    .join('');
}
