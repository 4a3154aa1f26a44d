-- Failures are stored as codes and facts; they were English sentences.
UPDATE callback SET facts = causes_as_data(facts) WHERE facts <> '{}';
