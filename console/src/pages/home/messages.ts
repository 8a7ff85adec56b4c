/** The words of the home page. */
export const messages = {
  title: 'Home',
  lead: 'What needs somebody, worst first.',
  allWell: 'All well',
  allWellText: 'No failed job, every brand up to yesterday, and no difference in the last run of the doctor.',
  list: 'Concerns',
  subjects: { doctor: 'Doctor', jobs: 'Jobs', datasets: 'Datasets' },
  doctorFound: (count: number) =>
    count === 1 ? '1 derived figure is wrong' : `${count} derived figures are wrong`,
  doctorFailed: 'The last run failed',
  jobsFailed: (count: number) => (count === 1 ? '1 job has failed' : `${count} jobs have failed`),
  behind: (name: string, days: number) =>
    days === 1 ? `${name} is a day behind` : `${name} is ${days} days behind`,
  dirty: (name: string, days: number) =>
    days === 1 ? `${name} has a day with uncounted events` : `${name} has ${days} days with uncounted events`,
} as const;
