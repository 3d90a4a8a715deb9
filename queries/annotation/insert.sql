-- purpose: keep what passed the validator, in place of what an earlier chunk said of the same calls
-- makes: annotations, from the relation incoming
DELETE FROM annotations USING incoming
WHERE annotations.trajectory_id = incoming.trajectory_id AND annotations.step = incoming.step AND annotations.call = incoming.call;
INSERT INTO annotations BY NAME
SELECT incoming.*, texts_hash(action, observation) AS texts
FROM incoming
JOIN steps USING (trajectory_id, step, call);
