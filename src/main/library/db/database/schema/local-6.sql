-- A blocked save is stored with its rule and the text of the administrator; it was the English sentence of the answer.
UPDATE callback SET facts = refusals_as_data(facts) WHERE code = 'refused';
