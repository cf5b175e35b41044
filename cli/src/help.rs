//! The front page of `--help`: commands in the groups a user thinks in.

/// The groups in their order, each with its commands; a command that stands in none is a mistake (a test says so).
const GROUPS: [(&str, &[&str]); 7] = [
    ("The collection", &["serve", "keys", "webhooks", "add", "check", "show", "delete", "appeal"]),
    ("Asking the collection", &["search", "similar", "trace", "holders"]),
    ("The care of a data directory", &["stats", "export", "import", "backup", "verify", "reindex"]),
    ("A whole collection at once", &["cluster", "recluster", "clusters", "dedup"]),
    ("Copied passages", &["sources", "copies"]),
    ("One text, two texts, many versions", &["inspect", "compare", "changes"]),
    ("Setting up", &["completions", "man"]),
];

/// Puts the groups where clap would list all commands in one.
pub fn grouped(command: clap::Command) -> clap::Command {
    let list = GROUPS.map(|(title, names)| group(&command, title, names)).join("\n");
    command.help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n{{options}}{{after-help}}")).after_help(
        "Exit codes: 0 done; 1 yes, there are copies; 2 usage; 3 input or data; 4 data directory in use or unusable.\n\
         Every command explains itself with examples: firstcopy add --help",
    )
}

fn group(command: &clap::Command, title: &str, names: &[&str]) -> String {
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        format!("  {name:<13}{}\n", about.map(ToString::to_string).unwrap_or_default())
    };
    format!("{title}:\n{}", names.iter().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_stands_in_one_group_and_shows_an_example() {
        let command = crate::arguments::Arguments::command();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert!(names.iter().all(|name| grouped.contains(name)), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), grouped.len());
        for subcommand in command.get_subcommands() {
            let help = subcommand.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:\n  firstcopy "), "{}", subcommand.get_name());
        }
    }
}
