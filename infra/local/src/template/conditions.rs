//! `Conditions` of the template, and what follows from them: `Fn::If`, and whether a resource is there.

use serde_json::Value;

use super::intrinsics::{Resolver, as_text};

impl Resolver<'_> {
    /// Whether the condition `name` holds.
    pub fn holds(&self, name: &str) -> Result<bool, String> {
        let condition = self.conditions.get(name).ok_or_else(|| format!("no condition is named {name}"))?;
        self.judge(condition).map_err(|what| format!("{name}: {what}"))
    }

    /// `Fn::If`: the first of two values where a condition holds, else the second.
    pub fn either(&self, argument: &Value) -> Result<Value, String> {
        let Some([condition, then, otherwise]) = argument.as_array().map(Vec::as_slice) else {
            return Err("Fn::If has a condition and two values".to_owned());
        };
        let condition = condition.as_str().ok_or("Fn::If begins with a condition's name")?;
        self.resolve(if self.holds(condition)? { then } else { otherwise })
    }

    fn judge(&self, condition: &Value) -> Result<bool, String> {
        let function = condition.as_object().filter(|function| function.len() == 1);
        let (name, argument) =
            function.and_then(|function| function.iter().next()).ok_or("it is no function of conditions")?;
        if name == "Fn::Condition" {
            return self.holds(argument.as_str().ok_or("Fn::Condition has a condition's name")?);
        }
        let arguments = argument.as_array().ok_or_else(|| format!("{name} needs a list"))?;
        match (name.as_str(), arguments.as_slice()) {
            ("Fn::Equals", [one, other]) => {
                Ok(as_text(&self.resolve(one)?)? == as_text(&self.resolve(other)?)?)
            }
            ("Fn::Not", [condition]) => self.judge(condition).map(|holds| !holds),
            ("Fn::Or", conditions) => {
                let judged = conditions.iter().map(|condition| self.judge(condition));
                Ok(judged.collect::<Result<Vec<bool>, String>>()?.contains(&true))
            }
            _ => Err(format!("the local run does not know {name} with {} arguments", arguments.len())),
        }
    }
}
